import { instanceStaying } from '../../../src/probes/aws/instance-staying.ts';
import { testCases } from '../fakes.ts';
import { type Answer, fakeNetwork, metadataAnswers, networkFailure } from '../fake-network.ts';

const withAnswers = (items: Readonly<Record<string, Answer>>, token?: Answer) => ({
  network: fakeNetwork({ request: metadataAnswers(items, token) }),
});
const event = (Code: string, State: string) => ({
  'meta-data/events/maintenance/scheduled': JSON.stringify([{ NotBefore: '21 Jan 2027 09:00:43 GMT', Code, State }]),
});

testCases(instanceStaying, [
  {
    title: 'nothing is announced',
    ...withAnswers({ 'meta-data/autoscaling/target-lifecycle-state': 'InService' }),
    gives: [{ outcome: 'ok', code: 'ok', facts: {} }],
  },
  {
    title: 'a spot interruption, before anything else',
    ...withAnswers({
      ...event('instance-stop', 'active'),
      'meta-data/spot/instance-action': '{"action":"terminate","time":"2026-11-20T12:02:00Z"}',
      'meta-data/events/recommendations/rebalance': '{"noticeTime":"2026-11-20T11:58:00Z"}',
    }),
    gives: [
      { outcome: 'fail', code: 'spot-interruption', facts: { action: 'terminate', time: '2026-11-20T12:02:00Z' } },
    ],
  },
  {
    title: 'a scheduled retirement',
    ...withAnswers(event('instance-retirement', 'active')),
    gives: [
      {
        outcome: 'fail',
        code: 'scheduled-termination',
        facts: { action: 'instance-retirement', time: '21 Jan 2027 09:00:43 GMT' },
      },
    ],
  },
  {
    title: 'an event that is over',
    ...withAnswers(event('instance-retirement', 'completed')),
    gives: [{ outcome: 'ok', code: 'ok', facts: {} }],
  },
  {
    title: 'an event that leaves it running',
    ...withAnswers(event('system-maintenance', 'active')),
    gives: [{ outcome: 'ok', code: 'ok', facts: {} }],
  },
  {
    title: 'its auto scaling group ends it',
    ...withAnswers({ 'meta-data/autoscaling/target-lifecycle-state': 'Terminated' }),
    gives: [{ outcome: 'fail', code: 'scheduled-termination', facts: { action: 'terminate' } }],
  },
  {
    title: 'a rebalance recommendation',
    ...withAnswers({ 'meta-data/events/recommendations/rebalance': '{"noticeTime":"2026-11-20T11:58:00Z"}' }),
    gives: [{ outcome: 'ok', code: 'rebalance-recommended', facts: { time: '2026-11-20T11:58:00Z' } }],
  },
  {
    title: 'garbage',
    ...withAnswers({ 'meta-data/spot/instance-action': '<html>' }),
    gives: [{ outcome: 'fail', code: 'spot-interruption', facts: {} }],
  },
  {
    title: 'no metadata service',
    ...withAnswers({}, networkFailure('no-route')),
    gives: [{ outcome: 'skipped', code: 'no-metadata', facts: {} }],
  },
]);
