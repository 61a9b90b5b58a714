import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packOf, pattern, read } from './tiny-pack.ts';

const word = pattern('word', 'telling words');
const counts = (...lines: readonly string[]): boolean =>
  read(packOf(word), { text: `${lines.join('\n')}\n` }).matches.has('word');

test('what a tool answers to its prompt on a workstation is not the node’s', () => {
  assert.equal(counts('$ kubectl get nodes', 'telling words'), false);
  assert.equal(
    counts('dev@laptop:~/infra$ AWS_PROFILE=x aws eks describe-cluster --name shop', '', 'telling words'),
    false,
  );
  assert.equal(counts('➜  infra git:(main) terraform apply', 'reading', 'telling words'), false);
  assert.equal(counts('$ kubectl -n shop logs deploy/web', '{"a":1}', 'telling words'), false);
});

test('what is read of the node, and what runs on it, is', () => {
  assert.equal(counts('telling words'), true);
  assert.equal(counts('$ journalctl -u kubelet', 'telling words'), true);
  assert.equal(counts('$ kubectl describe node ip-10-0-1-2', 'telling words'), true);
  assert.equal(counts('$ kubectl logs -n kube-system aws-node-x7k2p', 'telling words'), true);
  assert.equal(counts('$ kubectl logs nvidia-device-plugin-daemonset-x7k2p', 'telling words'), true);
  assert.equal(counts('$ aws ec2 get-console-output --instance-id i-1', 'telling words'), true);
  assert.equal(counts('[ec2-user@ip-10-0-1-2 ~]$ sudo aws ecr get-login-password', 'telling words'), true);
  assert.equal(
    counts('$ kubectl get nodes', 'NAME', '', 'and the node says:', 'telling words'),
    true,
    'another paragraph',
  );
  assert.equal(counts('$ kubectl get nodes', 'Jun 06 19:33:03 host kubelet[7]: telling words'), true, 'a named line');
  assert.equal(
    counts('$ kubectl logs web', 'Error from server: tls: internal error, telling words'),
    true,
    'of the node',
  );
});
