// What an executable begins with: the bundle, with the code that V8 made of it when the build ran it (warm-up.ts). Without that,
// a third of a short run is compiling.
'use strict';
const { getRawAsset } = require('node:sea');
const { Script } = require('node:vm');

const bytes = (name) => Buffer.from(getRawAsset(name));
// The bundle is ASCII: its characters are its bytes. V8 passes over code that does not fit, which costs time and nothing else.
const program = new Script(bytes('program').latin1Slice(), {
  filename: 'eks-bootstrap-analyzer.cjs',
  cachedData: bytes('code'),
});
program.runInThisContext()(require, process);
