// The completion script for zsh: a file `_eks-bootstrap-analyzer` of $fpath, or sourced.
import { COMMANDS, type CommandRule, type OptionRule, TOOL_NAME } from '../options.ts';
import { type Choices, firstWords, type Names, operandsOf, optionsOf, valuesOf } from './choices.ts';

export function renderZsh(names: Names): string {
  const groups = [...firstWords()].filter(([first, members]) => members[0]!.name !== first);
  return `#compdef ${TOOL_NAME}
# zsh completion for ${TOOL_NAME}; made by "${TOOL_NAME} completions zsh"
_${TOOL_NAME}() {
  if (( CURRENT == 2 )); then
    ${described([...firstWords()].map(([first, members]) => [first, members[0]!.name === first ? members[0]!.help : `${first} …`]))}
    return
  fi
  local command=$words[2]
  [[ $command == help ]] && { compadd ${[...firstWords().keys()].join(' ')}; return }
${groups.map(group).join('\n')}
  shift words
  (( CURRENT-- ))
  case $command in
${COMMANDS.map((command) => caseOf(command, names)).join('\n')}
  esac
}
if [[ $funcstack[1] == _${TOOL_NAME} ]]; then
  _${TOOL_NAME} "$@"
else
  compdef _${TOOL_NAME} ${TOOL_NAME}
fi
`;
}

/** The second word of a command is completed, or joined to the first. */
function group([first, members]: [string, readonly CommandRule[]]): string {
  return `  if [[ $command == ${first} ]]; then
    if (( CURRENT == 3 )); then
      ${described(members.map(({ name, help }) => [name.split(' ')[1]!, help]))}
      return
    fi
    command+=" $words[3]"
    shift words
    (( CURRENT-- ))
  fi`;
}

function described(rows: readonly (readonly [string, string])[]): string {
  const items = rows.map(([word, help]) => quote(`${word}:${help.replaceAll(':', '\\:')}`));
  return `local -a choices=(${items.join(' ')}); _describe command choices`;
}

function caseOf(command: CommandRule, names: Names): string {
  const operands = operandsOf(command, names);
  const specs = [
    ...optionsOf(command).map((option) => specOf(option, names)),
    ...(operands === 'anything' ? [] : [quote(`*:${command.operands!}:${action(operands)}`)]),
  ];
  return `    ${quote(command.name)}) _arguments ${specs.join(' ')} ;;`;
}

function specOf(option: OptionRule, names: Names): string {
  const help = option.help.replaceAll(/[[\]:\\]/g, '\\$&');
  if (option.argument === null) return quote(`--${option.name}[${help}]`);
  const values = valuesOf(option, names);
  const list = option.name === 'probe' ? `_values -s , probe ${(values as string[]).join(' ')}` : action(values);
  return quote(`--${option.name}=[${help}]:${option.argument}:${list}`);
}

function action(choices: Choices): string {
  if (choices === 'files') return '_files';
  if (choices === 'folders') return '_files -/';
  return choices === 'anything' ? '' : `(${choices.join(' ')})`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
