// The tool's version; the build replaces this module by one that carries the version of package.json.
import packageJson from '../package.json' with { type: 'json' };

export const VERSION: string = packageJson.version;
