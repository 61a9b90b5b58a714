// The tables of the README that are made from those of the program.
import { EXIT_CODES } from '../src/exit-codes.ts';
import { ANSWERS, generalHelp, OPTIONS, type OptionRule, PLAIN, signature } from '../src/options.ts';

export function renderOptionsTable(): string {
  const rows = OPTIONS.map((option) => {
    const values = option.values?.map((value) => `\`${value}\``).join(', ');
    const notes = [values && `One of ${values}.`, option.default && `Default \`${option.default}\`.`].filter(Boolean);
    return `| \`${signature(option)}\` | ${whereOf(option)} | ${[generalHelp(option), ...notes].join(' ')} |`;
  });
  return ['| Option | Commands | What it does |', '| --- | --- | --- |', ...rows].join('\n');
}

function whereOf(option: OptionRule): string {
  if (option.commands === null) return 'all';
  if (option.commands === ANSWERS) return `all but ${PLAIN.map((name) => `\`${name}\``).join(' and ')}`;
  return option.commands.map((command) => `\`${command}\``).join(', ');
}

export function renderExitCodesTable(): string {
  return [
    '| Code | Meaning |',
    '| --- | --- |',
    ...EXIT_CODES.map(({ code, meaning }) => `| ${code} | ${meaning} |`),
  ].join('\n');
}
