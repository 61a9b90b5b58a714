// Reads which proxy the node's own services are told to use, from the places that AMIs and users write it to. Asks nobody.
import { proxySettingsOf, type ProxySettings } from '../../host/network/proxy.ts';
import type { System } from '../../host/system.ts';

export interface FoundProxy {
  readonly settings: ProxySettings;
  readonly path: string;
}

/** The services of the boot before what holds for all; within a folder by name, where a later file overrides. */
const FOLDERS = [
  '/etc/systemd/system/kubelet.service.d',
  '/etc/systemd/system/containerd.service.d',
  '/etc/systemd/system/sandbox-image.service.d',
  '/etc/systemd/system.conf.d',
];
const FILES = ['/etc/network/proxy.env', '/etc/environment'];
const ASSIGNMENT =
  /\b(?<name>(?:HTTPS?|NO)_PROXY|(?:https?|no)_proxy)=(?:"(?<double>[^"\n]*)"|'(?<single>[^'\n]*)'|(?<bare>[^\s"'\n]*))/g;

/** Null if no file names one. @throws HostError */
export async function readProxySettings(system: System): Promise<FoundProxy | null> {
  const dropIns = await Promise.all(
    FOLDERS.map(async (folder) =>
      (await system.listFolder(folder)).filter((name) => name.endsWith('.conf')).map((name) => `${folder}/${name}`),
    ),
  );
  for (const paths of [...dropIns, ...FILES.map((file) => [file])]) {
    const environment: Record<string, string> = {};
    let from: string | null = null;
    for (const path of paths) {
      const found = assignmentsIn((await system.readSmall(path)) ?? '');
      Object.assign(environment, found);
      if (Object.keys(found).some((name) => !/^no_/i.test(name))) from = path;
    }
    const settings = proxySettingsOf(environment);
    if (from !== null && (settings.httpsProxy ?? settings.httpProxy) !== null) return { settings, path: from };
  }
  return null;
}

/** Lines of shell, of an environment file, or of `Environment="A=b" "C=d"`; comments are left out. */
export function assignmentsIn(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => !/^\s*[#;]/.test(line));
  const pairs = lines.flatMap((line) =>
    [...line.replaceAll(/"(?<assignment>\w+=[^"\n]*)"/g, '$<assignment> ').matchAll(ASSIGNMENT)].map(
      ({ groups }): [string, string] => [
        groups!['name']!,
        groups!['double'] ?? groups!['single'] ?? groups!['bare'] ?? '',
      ],
    ),
  );
  return Object.fromEntries(pairs);
}
