/**
 * Reports whether a page may embed the frame. Patterns are those of a project: `example.org`, `https://example.org`,
 * `https://*.example.org:8443`. A scheme or a port that one leaves out is not compared; `*` stands for exactly one label of the host.
 *
 * @param origin as browsers write it; `null` is no page
 * @param local allows the usual names of the visitor's own machine as well, for development
 */
export function isAllowedOrigin(origin: string, patterns: readonly string[], local: boolean): boolean {
  const page = /^(https?):\/\/([^/:]+|\[[^/\]]+\])(?::(\d+))?$/.exec(origin)
  if (!page) return false
  const [, scheme = '', host = '', port = scheme === 'https' ? '443' : '80'] = page
  if (local && ['localhost', '127.0.0.1', '[::1]'].includes(host)) return true
  return patterns.some((pattern) => {
    const wanted = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/:]+|\[[^/\]]+\])(?::(\d+))?$/.exec(
      pattern.toLowerCase(),
    )
    if (!wanted) return false
    const [, wantedScheme, wantedHost = '', wantedPort] = wanted
    return (
      (wantedScheme === undefined || wantedScheme === scheme) &&
      (wantedPort === undefined || wantedPort === port) &&
      matchesLabels(wantedHost.split('.'), host.split('.'))
    )
  })
}

function matchesLabels(wanted: readonly string[], host: readonly string[]): boolean {
  return wanted.length === host.length && wanted.every((label, at) => label === '*' || label === host[at])
}
