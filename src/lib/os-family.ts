// Which operating system an os-release file names, in the words of the patterns' `os` fact.

/** By `ID` and the beginning of `VERSION_ID` in os-release; the names are those of the patterns' `os` fact. */
const FAMILIES: readonly { readonly os: string; readonly id: string; readonly version: string }[] = [
  { os: 'al2023', id: 'amzn', version: '2023' },
  { os: 'al2', id: 'amzn', version: '2' },
  { os: 'bottlerocket', id: 'bottlerocket', version: '' },
  { os: 'ubuntu', id: 'ubuntu', version: '' },
];

export function isFamily(os: string | null): os is string {
  return FAMILIES.some((known) => known.os === os);
}

/** An unknown system keeps its own id. */
export function osOf(release: string): { readonly os: string | null; readonly version: string | null } {
  const id = settingOf(release, 'ID');
  const version = settingOf(release, 'VERSION_ID');
  const family = FAMILIES.find((known) => known.id === id && (version ?? '').startsWith(known.version));
  return { os: family?.os ?? id, version };
}

function settingOf(release: string, name: string): string | null {
  return new RegExp(`^${name}=["']?(?<value>[\\w.-]{1,64})`, 'm').exec(release)?.groups?.['value'] ?? null;
}
