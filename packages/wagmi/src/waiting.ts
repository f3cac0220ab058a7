import { type Hawser, selectAccount } from '@hawser/core'

/** Resolves once it is known whether the wallet of the last visit is connected again, which takes some seconds at most. */
export function whenAccountIsKnown(hawser: Hawser): Promise<void> {
  return new Promise((resolve) => {
    const isKnown = () => statusOf(hawser) !== 'reconnecting'
    if (isKnown()) return resolve()
    const stop = hawser.chain.subscribe(() => {
      if (!isKnown()) return
      stop()
      resolve()
    })
  })
}

/** Resolves once an EVM account is connected, or the modal was closed without one. */
export function whenConnected(hawser: Hawser): Promise<void> {
  return new Promise((resolve) => {
    const stops = [
      hawser.chain.subscribe(() => {
        if (statusOf(hawser) === 'connected') end()
      }),
      hawser.modal.subscribe(({ open }) => {
        if (!open) end()
      }),
    ]
    function end(): void {
      for (const stop of stops) stop()
      resolve()
    }
  })
}

function statusOf(hawser: Hawser): string {
  return selectAccount(hawser.chain.getState(), 'eip155').status
}
