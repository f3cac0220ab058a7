/**
 * Returns the URL of the gateway, as the suite derives it from two of its settings; empty if they are not known.
 *
 * @param publicUrl the setting `public_url`
 * @param listen the setting `listen.gateway`, such as ":8080"
 */
export function gatewayUrlOf(publicUrl: string, listen: string): string {
  return publicUrl || localUrl('localhost', listen)
}

/**
 * Returns the origin of the embedded wallet's pages, as the suite derives it from two of its settings; empty if it serves none.
 *
 * @param origin the setting `frame.origin`
 * @param listen the setting `listen.frame`, such as ":5174"
 */
export function frameOriginOf(origin: string, listen: string): string {
  return listen && (origin || localUrl('wallet.localhost', listen))
}

function localUrl(host: string, listen: string): string {
  const port = /:(\d+)$/.exec(listen)?.[1]
  return port ? `http://${host}:${port}` : ''
}
