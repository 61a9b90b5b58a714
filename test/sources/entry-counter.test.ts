import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EntryCounter } from '../../src/sources/entry-counter.ts';

const EXPORT = Buffer.from('__CURSOR=s=1\nMESSAGE=__CURSOR= in a text\n\n__CURSOR=s=2\nMESSAGE=x\n\n__CURSOR=s=3\nA=b\n\n');

for (const size of [1, 2, 7, 9, 10, 11, 1000])
  test(`counts the same in pieces of ${size} bytes`, () => {
    const counter = new EntryCounter();
    for (let at = 0; at < EXPORT.length; at += size) counter.add(EXPORT.subarray(at, at + size));
    counter.add(Buffer.alloc(0));
    assert.equal(counter.count, 3);
  });
