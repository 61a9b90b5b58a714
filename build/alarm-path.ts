// Puts what is written once into the templates of the alarm path: the queries of deploy/cloudwatch-queries.md and the dashboard.
import { ROOT } from './project.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (file: string): string => readFileSync(join(ROOT, 'deploy', file), 'utf8');

/** Query by name: the words of its heading. */
export function savedQueries(): Readonly<Record<string, string>> {
  const sections = read('cloudwatch-queries.md').matchAll(
    /^## (?<title>.+)\n(?:(?!^##)[^])*?^```\n(?<query>[^]*?)\n```$/gm,
  );
  return Object.fromEntries([...sections].map(({ groups }) => [slug(groups!['title']!), groups!['query']!]));
}

/** The CloudFormation template with its two sections written anew. */
export function renderAlarmPath(current: string): string {
  const dashboard = read('cloudwatch-dashboard.json')
    .replaceAll('REGION', '${AWS::Region}')
    .replace('"__FIRST"', '"${ClusterName}"');
  const queries = Object.entries(savedQueries()).map(([name, query]) =>
    [
      `  Query${name.replaceAll(/(?:^|-)(?<letter>\w)/g, (_all, letter: string) => letter.toUpperCase())}:`,
      '    Type: AWS::Logs::QueryDefinition',
      '    Properties:',
      `      Name: !Sub eks-bootstrap/\${ClusterName}/${name}`,
      '      LogGroupNames: [!Ref Verdicts]',
      '      QueryString: |-',
      indented(query, 8),
    ].join('\n'),
  );
  const body = `      DashboardBody: !Sub |-\n${indented(dashboard.trim(), 8)}`;
  return section(section(current, 'dashboard', body), 'queries', queries.join('\n'));
}

function section(text: string, name: string, content: string): string {
  const marks = new RegExp(`(?<start> *# ${name}:start\\n)[^]*?(?<end> *# ${name}:end\\n)`);
  if (!marks.test(text)) throw new Error(`the template has no section ${name}`);
  return text.replace(marks, (_all, start: string, end: string) => `${start}${content}\n${end}`);
}

function indented(text: string, spaces: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(spaces));
}

function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
