// Installs moto for the end-to-end tests, so that they never skip what needs it. Exits 1 with the reason if that is not possible.
import { prepareMoto } from './moto.ts';

const missing = await prepareMoto();
if (missing !== null) {
  console.error(missing);
  process.exitCode = 1;
}
