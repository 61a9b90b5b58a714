// A verdict as a script for the administrator's shell, which looks in AWS for what this node lacks: its values, then the checks.
import { hasForm } from '../lib/fact-forms.ts';
import { shellQuoted } from '../lib/shell-quoted.ts';
import type { NodeFacts, RedactedVerdict } from '../types.ts';

/** `checks` is the text that works on these values; it finds out by itself what is left empty. */
export function renderAwsChecks({ node, cause, status, tool }: RedactedVerdict, checks: string): string {
  const values = Object.entries(valuesOf(node)).map(([name, value]) => `${name}=${shellQuoted(value)}\n`);
  const what = cause === null ? status : `${status}, ${cause.id}, confidence ${cause.confidence}`;
  return `#!/bin/sh
# What an administrator can see in AWS of a node that did not join its cluster. It only asks (describe, get, list).
# Made by eks-bootstrap-analyzer ${tool.version} for this verdict: ${what}.
# Run it where the AWS CLI (1.32, 2.15 or later) has your own credentials: sh FILE${hasForm('instance_id', node.instanceId ?? '') ? '' : ' INSTANCE_ID'}
${values.join('')}
${checks}`;
}

/** A log may have said any of them, so each has the form of its kind or is left out. */
function valuesOf(node: NodeFacts): Readonly<Record<string, string>> {
  const value = (kind: string, given: string | null): string => (given !== null && hasForm(kind, given) ? given : '');
  const groups = (node.securityGroups ?? '').split(',').filter((group) => hasForm('security_group', group));
  return {
    instance: value('instance_id', node.instanceId),
    region: value('region', node.region),
    account: value('account', node.account),
    vpc: value('vpc_id', node.vpcId),
    subnet: value('subnet_id', node.subnetId),
    groups: groups.join(' '),
    role: value('role_name', node.roleName ?? node.roleArn?.split('/').at(-1) ?? null),
    cluster: value('cluster', node.cluster),
    endpoint: value('endpoint_host', node.endpointHost),
  };
}
