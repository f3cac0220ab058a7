/** CAIP-2, such as `eip155:1`. */
export type CaipNetworkId = `${'eip155' | 'solana' | 'bip122' | 'polkadot'}:${string}`

/** `smartAccount` is the same address with a delegation (EIP-7702). */
export type AccountType = 'eoa' | 'smartAccount'

export type SocialProvider = 'google' | 'github' | 'apple' | 'facebook' | 'x' | 'discord'

/** The signed-in user of an embedded wallet. */
export interface EmbeddedUser {
  /** Absent or null for a user of a social account without a verified email. */
  readonly email?: string | null
  /** Of the namespace of `chainId`. */
  readonly address: string
  readonly chainId: CaipNetworkId
  /** The preferred account first. */
  readonly accounts: readonly { readonly address: string; readonly type: AccountType }[]
  readonly userName?: string
  /**
   * Whether a passkey, a password or a login opens the wallet on a new device; without one only this browser
   * can.
   */
  readonly hasBackup?: boolean
  readonly smartAccountDeployed?: boolean
  readonly preferredAccountType?: AccountType
}

/** Position of the frame in the viewport, in CSS pixels. */
export interface FrameRect {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  /** Radius of the lower corners. */
  readonly radius: number
  /** Radius of the upper corners; 0 by default, for a frame that lies below a header. */
  readonly upperRadius?: number
}

/** A JSON-RPC request of the site. */
export interface WalletRequest {
  readonly method: string
  readonly params?: unknown
  /** The network that the request is for; the current one by default. */
  readonly chainId?: CaipNetworkId
}

/** Theme and language of the site, which the frame draws its approvals in. */
export interface FrameTheme {
  readonly themeMode?: 'light' | 'dark'
  readonly themeVariables?: Readonly<Record<string, unknown>>
  /**
   * BCP 47 tag, or several with a comma between them, the preferred one first; `auto` is the languages of the browser. English by default, and
   * where the frame has texts in none of them. At most 35 characters.
   */
  readonly locale?: string
}

/** How the site introduces itself; the frame shows its name and its verified origin. */
export interface DappData {
  readonly metadata?: {
    readonly name?: string
    readonly description?: string
    readonly url?: string
    readonly icons?: readonly string[]
  }
  readonly sdkVersion?: string
  readonly sdkType?: string
  readonly projectId?: string
}

/** A contact of the wallet. */
export interface EmbeddedContact {
  /** CAIP-2. */
  readonly namespace: string
  readonly address: string
  /** Plain text, 1 to 64 characters. */
  readonly name: string
}

/** A change of a contact: a new name, or none to delete it. */
export type EmbeddedContactChange = Pick<EmbeddedContact, 'namespace' | 'address'> &
  Partial<Pick<EmbeddedContact, 'name'>>

/** The events of an embedded wallet, with their payloads. */
export interface EmbeddedWalletEvents {
  /** A request waits for the user: show the frame. The method is empty for a login that waits for a passkey or a password, and for a change of the email. */
  readonly approval: { readonly method: string }
  /** No request waits any more. Comes before the last one resolves. */
  readonly approvalEnd: undefined
  /** The height that the frame needs to show the request whole, in CSS pixels. In a lower frame the request scrolls. */
  readonly height: number
  /** Plain addresses, the preferred one first; empty after a sign-out. */
  readonly accountsChanged: readonly string[]
  readonly chainChanged: CaipNetworkId
  /** The session ended outside this page: it expired, or was revoked. */
  readonly signedOut: undefined
  /** The site requested a method that the frame refuses. */
  readonly notAllowed: { readonly method: string }
  /** The user pressed Escape, or clicked outside the frame, while it was shown. */
  readonly dismissed: undefined
}

/** An embedded wallet: keys and approvals stay in a frame of another origin. */
export interface EmbeddedWallet {
  /** Loads the frame; resolves 500 ms after it is ready. @throws Error "Unable to load email login dependency". */
  load(): Promise<void>
  /** Starts a login by email; the result is the next step. */
  connectEmail(email: string): Promise<{
    readonly action: 'VERIFY_DEVICE' | 'VERIFY_OTP' | 'CONNECT'
    /** With VERIFY_DEVICE: two words that the page of the mail's link shows too, for the user to compare. */
    readonly words?: string
  }>
  /** Resolves when the link of the device mail was approved; the code is sent then. */
  connectDevice(): Promise<void>
  /** Verifies the six digits of the mail. */
  connectOtp(otp: string): Promise<void>
  /** Returns the address of the provider's login page, for a popup. */
  getSocialRedirectUri(provider: SocialProvider): Promise<{ readonly uri: string }>
  /** Resolves when the login at the provider has ended in the popup; `uri` is what `getSocialRedirectUri` returned. */
  connectSocial(uri: string): Promise<EmbeddedUser>
  /** Returns the link that a Farcaster app opens. */
  getFarcasterUri(): Promise<{ readonly url: string }>
  /** Resolves when the Farcaster app has signed. */
  connectFarcaster(): Promise<{ readonly userName: string }>
  getUser(options?: {
    readonly chainId?: CaipNetworkId
    readonly preferredAccountType?: AccountType
  }): Promise<EmbeddedUser>
  isConnected(): Promise<boolean>
  /** Reports whether the login ends with this page, because the browser lets the frame store nothing. */
  endsWithTab(): Promise<boolean>
  getChainId(): Promise<CaipNetworkId>
  switchNetwork(chainId: CaipNetworkId): Promise<void>
  /** Starts a change of the email, which the user approves in the frame. @throws Error for a user without an email, who adds one on the wallet's own page */
  updateEmail(email: string): Promise<{ readonly action: 'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP' }>
  /** Verifies the code sent to the present email. */
  updateEmailPrimaryOtp(otp: string): Promise<void>
  /** Verifies the code sent to the new email. */
  updateEmailSecondaryOtp(otp: string): Promise<{ readonly newEmail: string }>
  setPreferredAccount(type: AccountType): Promise<{ readonly type: AccountType; readonly address: string }>
  getSmartAccountEnabledNetworks(): Promise<readonly CaipNetworkId[]>
  /**
   * Returns the contacts of the wallet; undefined for a user who does not share them with the site, or whose wallet this browser does not open
   * by itself. With `ask`, the user is asked in the frame.
   *
   * @throws Error with the code 4001 if the user declines, or with the reason `contactsDamaged`
   */
  getContacts(options?: { readonly ask?: boolean }): Promise<readonly EmbeddedContact[] | undefined>
  /**
   * Changes contacts that are shared with the site, at most 1,000, and returns all.
   *
   * @throws Error with the reason `contactsDamaged`, or `contactsFull` over 500 contacts
   */
  changeContacts(changes: readonly EmbeddedContactChange[]): Promise<readonly EmbeddedContact[]>
  syncTheme(theme: FrameTheme): Promise<void>
  syncDappData(data: DappData): Promise<void>
  signOut(): Promise<void>
  /** Loads the frame again, which cancels an unfinished login. */
  reset(): Promise<void>
  /**
   * Calls a JSON-RPC method; a signing one waits for a click in the frame.
   *
   * @throws Error with the `code` of EIP-1193; "Requested RPC call is not allowed" for a method of neither list.
   */
  request(request: WalletRequest): Promise<unknown>
  /** Rejects all open requests as the user does in the frame, with 4001. */
  rejectRequests(): void
  /** Adds a listener; returns a function that removes it. */
  on<E extends keyof EmbeddedWalletEvents>(
    event: E,
    listener: (payload: EmbeddedWalletEvents[E]) => void,
  ): () => void
  /** Shows the frame over a rectangle of the viewport, or moves it there: above a modal dialog, and as the only thing that can be used. */
  show(rect: FrameRect): void
  hide(): void
}
