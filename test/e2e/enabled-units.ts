// What `systemctl enable` would do with a node's unit files before its first boot; reads [Install] only.

const INSTALL = /^(?<kind>WantedBy|RequiredBy)=(?<targets>.*)$/gm;

/** Links to be made in /etc/systemd/system: path → target. A unit without [Install] is only there. */
export function linksOfUnits(units: Readonly<Record<string, string>>): Map<string, string> {
  const links = new Map<string, string>();
  for (const [name, text] of Object.entries(units))
    for (const { groups } of text.matchAll(INSTALL)) {
      const folder = groups!['kind'] === 'WantedBy' ? 'wants' : 'requires';
      for (const target of groups!['targets']!.split(/\s+/).filter(Boolean))
        links.set(`/etc/systemd/system/${target}.${folder}/${name}`, `/etc/systemd/system/${name}`);
    }
  return links;
}
