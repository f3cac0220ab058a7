/** The calls of a site's page for its hand-offs (`hawser.handoff.v1.HandoffService`). Keys and hashes are 64 hex digits. */
export interface SiteGateway {
  /** Starts a hand-off. `projectId` and `origin` are those of the page. */
  create(commitment: string): Promise<CreatedHandoff>
  /** Returns the state of a hand-off. */
  find(id: string, secret: string): Promise<HandoffState>
}

export interface HandoffState {
  /** The key that claimed it; undefined before that. */
  readonly walletKey: string | undefined
  /** How many other keys were refused after that. */
  readonly refusedClaims: number
}

export interface CreatedHandoff {
  readonly id: string
  readonly secret: string
  readonly projectId: string
  readonly origin: string
  /** Unix milliseconds. */
  readonly expiresAt: number
}

/** The call of a wallet page. */
export interface WalletGateway {
  /** Claims a hand-off for a key. Rejects for an unknown one, and for another key than the first. */
  claim(id: string, publicKey: string): Promise<HandoffSite>
}

/** The site that started a hand-off, as the gateway checked it. */
export interface HandoffSite {
  readonly projectId: string
  readonly projectName: string
  readonly origin: string
  readonly commitment: string
  /** Unix milliseconds. */
  readonly expiresAt: number
}
