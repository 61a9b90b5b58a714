// Tells in a pasted terminal session whether a line is what a workstation's tool answered to its prompt, and not the node.
import { lineBounds } from './entry.ts';

const LINES_MAX = 40;
const NEWLINE = 10;

/** `user@host:~$ `, `[user@host ~]$ `, `➜  infra git:(main) `, `PS C:\work> `, `$ `, `% `. */
const PROMPT =
  /^(?:\([\w.-]{1,40}\) )?(?:\[?[\w.-]{1,64}@(?<host>[\w.-]{1,80})[^$#%>\n]{0,120}[$#%>]|PS [A-Z]:[^>\n]{0,120}>|[➜❯] +(?:\S{1,60} +git:\([^)\n]{1,60}\)(?: ✗)? )?|(?<shell>sh|bash)-\d\.\d[$#]|[~/][\w./~-]{0,80} ?[$%❯]|[$%]) *(?<command>\S[^\n]*)$/;
const OF_NODE = /^(?:ip-\d{1,3}-|localhost)/;
const TOOLS =
  /^(?:eksctl|terraform|tofu|terragrunt|helm|helmfile|pulumi|cdk|argocd|flux|kustomize|packer|ansible(?:-playbook)?|aws(?!.* (?:get-console-output|get-log-events|filter-log-events|logs tail|ssm)\b)|k(?:ubectl)?(?!.* (?:describe|events?|logs?|debug|exec|csr)\b))(?:\s|$)/;
/** What pods say is nobody's word on the node, unless the pods are the node's own. */
const LOGS_OF_OTHERS = /^k(?:ubectl)?\b(?=.* logs?\b)(?!.*(?:aws-node|kube-proxy|karpenter|device-plugin))/;

/** kubectl's own word on the API server's answer: the table of foreign forms judges it, whatever command it stands behind. */
const OF_SERVER = 'Error from server';

/** `at`: where the line begins. Looks back to the prompt, over at most so many lines and no empty one but right behind it. */
export function isToolAnswer(bytes: Buffer, length: number, at: number): boolean {
  if (bytes.toString('latin1', at, at + OF_SERVER.length) === OF_SERVER) return false;
  let isBehindBlank = false;
  for (let lines = 0, end = at - 1; lines < LINES_MAX && end > 0; lines++) {
    const start = bytes[end - 1] === NEWLINE ? end : lineBounds(bytes, length, end - 1).start;
    const line = bytes.toString('utf8', start, Math.min(end, start + 400)).trimEnd();
    const prompt = PROMPT.exec(line)?.groups;
    if (prompt !== undefined)
      return !OF_NODE.test(prompt['host'] ?? '') && prompt['shell'] === undefined && isOfTool(prompt['command']!);
    if (isBehindBlank) return false;
    isBehindBlank = line === '';
    end = start - 1;
  }
  return false;
}

function isOfTool(command: string): boolean {
  const own = command.replace(/^(?:(?:sudo|time|watch) |[A-Z_]{2,40}=\S* )+/, '');
  return TOOLS.test(own) || LOGS_OF_OTHERS.test(own);
}
