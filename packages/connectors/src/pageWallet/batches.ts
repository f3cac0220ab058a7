/** The parameters of `wallet_sendCalls` (EIP-5792), quantities in hex. */
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
  /** Answers `wallet_getCapabilities`; for all chains when none is given. */
  capabilities(chainIds?: readonly string[]): Readonly<Record<string, unknown>>
  /** Validates a batch before it is confirmed. @throws ProviderError */
  check(batch: CallBatch): void
  /** Signs and sends; returns the id of the batch. */
  send(batch: CallBatch): Promise<string>
  /** Answers `wallet_getCallsStatus`. @throws ProviderError for an unknown batch */
  status(id: string): Promise<unknown>
}
