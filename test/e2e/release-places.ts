// Where a node under test finds releases (release-server.ts).

export const RELEASE_HOST = 'releases.example.com';
/** No resolver knows it but the proxy. */
export const INSIDE_HOST = 'inside.example.com';
export const HTTPS_PORT = 8443;
export const HTTP_PORT = 8080;
export const PROXY_PORT = 3128;
