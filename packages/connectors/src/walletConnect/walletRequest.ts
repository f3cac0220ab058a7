import type { ConnectorContext } from '@hawser/core'
import type { SessionRequest, SignClient } from '@hawser/walletconnect'
import { isPrompting } from './methods.ts'

/** Sends a request to the wallet. One that the wallet asks its owner about opens its app. @throws what `client.request` throws. */
export async function requestOfWallet(
  client: SignClient,
  { openWallet }: Pick<ConnectorContext, 'openWallet'>,
  request: SessionRequest,
): Promise<unknown> {
  const { topic, method } = request
  let settle: () => void = () => undefined
  const answered = new Promise<void>((resolve) => {
    settle = resolve
  })
  try {
    return await client.request({
      ...request,
      onSend: (id) => {
        if (isPrompting(method)) openWallet({ id, topic, answered, ping: () => client.ping(topic) })
      },
    })
  } finally {
    settle()
  }
}
