// Lets all probes of one asking see the same files: several look at the kubelet's, each is read once. Keeps nothing for the next one.
import type { System } from '../host/system.ts';

export function readingOnce(system: System): System {
  const readings = new Map<string, Promise<unknown>>();
  const once = <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const reading = (readings.get(key) as Promise<T> | undefined) ?? read();
    readings.set(key, reading);
    return reading;
  };
  return {
    ...system,
    readSmall: (path, encoding = 'utf8') => once(`${encoding} ${path}`, () => system.readSmall(path, encoding)),
    listFolder: (path) => once(`names ${path}`, () => system.listFolder(path)),
  };
}
