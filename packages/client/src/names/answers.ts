/** What is known of a registered name. */
export interface NameRecord {
  /** The whole name, such as `alice.hawser.id`. */
  readonly name: string
  /** RFC 3339. */
  readonly registered_at: string
  readonly updated_at: string
  /** What it says of its owner, by key: avatar, bio, url and the like (ENSIP-5). */
  readonly attributes: Readonly<Record<string, string>>
  /** Where it leads, by coin type (ENSIP-11) in decimal digits. */
  readonly addresses: Readonly<Record<string, NameAddress>>
  /** True where the owner was given the name and has not accepted it by signing anything of it; only in `owned`. */
  readonly given?: boolean
}

export interface NameAddress {
  /** With its checksum (ERC-55). */
  readonly address: string
  /** RFC 3339. */
  readonly created_at: string
}

/** A name that might be registered. */
export interface NameSuggestion {
  /** The whole name. */
  readonly name: string
  /** Whether somebody has it. */
  readonly registered: boolean
  /** Whether it can be registered now; absent from gateways that only say who has what. */
  readonly available?: boolean
}

/** How an account is shown. */
export interface Identity {
  readonly name: string | null
  /** URL of its picture, on whichever host. */
  readonly avatar: string | null
  /** Path of its picture at the gateway itself. */
  readonly picture?: string | null
}

/** Where a name leads, whosever it is. */
export interface ResolvedName {
  /** In lower case. */
  readonly name: string
  /** With its checksum (ERC-55). */
  readonly address: string
  /** ENSIP-11. */
  readonly coinType: number
  /** Who says so: this gateway's own registry, or the Ethereum Name Service. */
  readonly source: 'registry' | 'ens'
}
