/** A batch of calls as a page asks for it (EIP-5792), quantities in hex. */
export interface CallBatch {
  readonly version: string
  readonly id?: string
  readonly from?: string
  readonly chainId: string
  readonly atomicRequired: boolean
  readonly calls: readonly { readonly to?: string; readonly data?: string; readonly value?: string }[]
  readonly capabilities?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** Sends several calls at once or none of them (EIP-5792). Chain ids are hex. */
export interface BatchSigner {
  /** What wallet_getCapabilities answers; of all chains when none is named. */
  capabilities(chainIds?: readonly string[]): Readonly<Record<string, unknown>>
  /** Refuses a batch that it could not send, before anybody is asked. @throws ProviderError */
  check(batch: CallBatch): void
  /** Signs and sends; answers the batch's id. */
  send(batch: CallBatch): Promise<string>
  /** What wallet_getCallsStatus answers. @throws ProviderError when no such batch was sent */
  status(id: string): Promise<unknown>
}
