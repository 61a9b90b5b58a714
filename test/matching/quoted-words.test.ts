import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownWords } from '../../src/matching/quoted-words.ts';

const own = (message: string): string => ownWords('kubelet', message);

test('of a pod’s failure the kubelet’s head stays, the quoted part goes', () => {
  assert.equal(
    own(
      'Probe failed probeType=Readiness pod=shop/web podUID=1 containerName=web probeResult=failure output=dial tcp: lookup sts: no such host',
    ),
    'Probe failed',
  );
  assert.equal(
    own(
      'Error syncing pod, skipping err=failed to "StartContainer" for "web" with ErrImagePull: "no space left on device" pod=shop/web',
    ),
    'Error syncing pod, skipping err=failed to "StartContainer" for "web" with ErrImagePull: ',
  );
  assert.equal(
    own('Error syncing pod 0a1b ("web-1_shop(0a1b-22cc)"), skipping: panic: boom'),
    'Error syncing pod 0a1b ("web-1_shop(0a1b-22cc)"), skipping: ',
  );
});

test('what the node’s own pods fail of is the node’s trouble', () => {
  const message =
    'Error syncing pod, skipping err=failed to "StartContainer" for "aws-node" with ErrImagePull: "403 Forbidden" pod=kube-system/aws-node-x7k2p';
  assert.equal(own(message), message);
  const forged = 'Probe failed pod=shop/web output=pod=kube-system/aws-node-x7k2p panic: boom';
  assert.equal(own(forged), 'Probe failed', 'a pod that names one of them is not one');
});

test('of a sandbox, its image and its network the runtime speaks for itself', () => {
  for (const message of [
    'Failed to create sandbox for pod err=rpc error: code = Unknown desc = failed to get sandbox image "602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/pause:3.5": 403 Forbidden pod=shop/web',
    'Error syncing pod, skipping err=network is not ready: container runtime network not ready: cni plugin not initialized pod=shop/web',
    'Error syncing pod, skipping err=failed to "CreatePodSandbox" for "web_shop(1)" with CreatePodSandboxError: "no IP addresses" pod=shop/web',
    'PullImage "602401143452.dkr.ecr.us-west-2.amazonaws.com/amazon-k8s-cni:v1.20.4" failed error=dial tcp: i/o timeout',
  ])
    assert.equal(own(message), message);
});

test('a plain program or image says nothing else; one with a text in it may say anything', () => {
  const plain =
    'StartContainer for "0a1b" failed error=unable to start container process: exec: "/app/server": exec format error: unknown';
  assert.equal(own(plain), plain);
  assert.equal(
    own('StartContainer failed error=exec: "swap is on": stat": not found: unknown'),
    'StartContainer failed error=exec: "": not found: unknown',
  );
  assert.equal(own('PullImage "swap is on" failed'), '');
  assert.equal(own('InspectImage image=swap is on'), 'InspectImage image=swap');
});

test('other streams quote nobody', () => {
  const message = 'Probe failed pod=shop/web output=boom';
  assert.equal(ownWords('kernel', message), message);
});
