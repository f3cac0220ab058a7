import type { Connector, Namespace } from '@hawser/core'

/** Reports whether a wallet can be connected on one of the namespaces; one that is paired may have any. */
export function hasOneOf(
  { type, chain, connectors = [] }: Connector,
  namespaces: readonly Namespace[],
): boolean {
  return (
    type === 'WALLET_CONNECT' ||
    [chain, ...connectors.map((each) => each.chain)].some((each) => namespaces.includes(each))
  )
}

/** Reports whether a wallet is one of this browser: neither part of the site nor a code to scan. */
export function isInstalled({ type }: Connector): boolean {
  return type !== 'EXTERNAL' && type !== 'AUTH' && type !== 'WALLET_CONNECT'
}
