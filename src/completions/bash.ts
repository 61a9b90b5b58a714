// The completion script for bash, 3.2 (macOS) and later, without the package bash-completion.
import { COMMANDS, optionFor, type OptionRule, OPTIONS, TOOL_NAME } from '../options.ts';
import { type Choices, firstWords, type Names, operandsOf, optionsOf, valuesOf } from './choices.ts';

export function renderBash(names: Names): string {
  const withValue = OPTIONS.filter(({ argument }) => argument !== null);
  return `# bash completion for ${TOOL_NAME}; made by "${TOOL_NAME} completions bash"
_eks_bootstrap_analyzer() {
  local current=\${COMP_WORDS[COMP_CWORD]} command='' option='' word index
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    case $word in
      =) ;;
      ${withValue.map(({ name }) => `--${name}`).join(' | ')}) option=$word ;;
      -*) option='' ;;
      *) if [[ -n $option ]]; then option=''; else command="\${command:+$command }$word"; fi ;;
    esac
  done
  [[ $current == = ]] && current=''
  case $option in
${withValue.map((option) => `    --${option.name}) ${valueOf(option, names)} ;;`).join('\n')}
  esac
  [[ -n $option ]] && return
  if [[ $current == -* ]]; then
    case $command in
${COMMANDS.map((command) => `      ${startsWith(command.name)}) ${choose(optionsOf(command).map(({ name }) => `--${name}`))} ;;`).join('\n')}
      *) ${choose(['--help', '--version'])} ;;
    esac
    return
  fi
  case $command in
    '') ${choose([...firstWords().keys(), 'help'])} ;;
    help) ${choose([...firstWords().keys()])} ;;
${groups().join('\n')}
${COMMANDS.map((command) => `    ${startsWith(command.name)}) ${choose(operandsOf(command, names))} ;;`).join('\n')}
  esac
}
_eks_bootstrap_analyzer_words() {
  # shellcheck disable=SC2207 # none of the words holds a blank
  COMPREPLY=($(compgen -W "$1" -- "\${2##*,}"))
  # A list goes on behind its last comma.
  [[ $2 == *,* ]] && COMPREPLY=("\${COMPREPLY[@]/#/\${2%,*},}")
}
complete -o filenames -F _eks_bootstrap_analyzer ${TOOL_NAME}
`;
}

/** Some values are only for some commands; before there is one, all may follow. */
function valueOf(option: OptionRule, names: Names): string {
  const all = choose(valuesOf(option, names));
  const [other] = COMMANDS.filter(({ name }) => option.limited?.to.includes(name) === false);
  if (other === undefined) return all;
  const mayHaveAll = ["''", ...option.limited!.to.flatMap((name) => startsWith(name))].join(' | ');
  return `case $command in ${mayHaveAll}) ${all} ;; *) ${choose(valuesOf(optionFor(other.name, option), names))} ;; esac`;
}

function groups(): string[] {
  return [...firstWords()]
    .filter(([first, members]) => members[0]!.name !== first)
    .map(([first, members]) => {
      const words = members.map(({ name }) => name.split(' ')[1]!);
      return `    ${first} | 'help ${first}') ${choose(words)} ;;`;
    });
}

function startsWith(command: string): string {
  return `'${command}' | '${command} '*`;
}

function choose(choices: Choices): string {
  if (choices === 'anything') return ':';
  if (choices === 'files' || choices === 'folders')
    return `while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -${choices === 'files' ? 'f' : 'd'} -- "$current")`;
  return `_eks_bootstrap_analyzer_words '${choices.join(' ')}' "$current"`;
}
