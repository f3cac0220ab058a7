import type { CaipNetworkId } from './network.ts'

/** A provider of social logins that answers through a window of its own. */
export type SocialProvider = 'google' | 'x' | 'discord' | 'github' | 'apple' | 'facebook'

/** A social login that a site can offer. Farcaster is approved in its app instead of in a window. */
export type Social = SocialProvider | 'farcaster'

/** How the keys of an embedded wallet are used: alone, or as the owner of a smart account (EIP-7702). */
export type EmbeddedAccountType = 'eoa' | 'smartAccount'

/** The user of an embedded wallet. */
export interface EmbeddedUser {
  readonly email?: string | null
  /** Plain address of the preferred account. */
  readonly address: string
  readonly chainId: CaipNetworkId
  /** The preferred account first. */
  readonly accounts: readonly EmbeddedAccount[]
  /** Name of the user at the social provider. */
  readonly userName?: string
  /**
   * Whether a passkey, a password or a login opens the wallet on a new device; without one only this browser
   * can.
   */
  readonly hasBackup?: boolean
  readonly smartAccountDeployed?: boolean
  readonly preferredAccountType?: EmbeddedAccountType
}

export interface EmbeddedAccount {
  readonly address: string
  readonly type: EmbeddedAccountType
}

/**
 * Where an email login continues: `VERIFY_DEVICE` on the link in the mail, then with a code; `VERIFY_OTP` with the code;
 * `CONNECT` at once.
 */
export type EmailLoginAction = 'VERIFY_DEVICE' | 'VERIFY_OTP' | 'CONNECT'

/** Where a change of email continues: with the code of the old mailbox, or with that of the new one. */
export type EmailChangeAction = 'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP'

/** Where the frame is shown, in CSS pixels of the viewport. */
export interface FrameRectangle {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  /** Radius of the lower corners. */
  readonly radius: number
  readonly upperRadius: number
}

/** Theme and language that the frame is drawn in. */
export interface FrameTheme {
  readonly themeMode?: 'light' | 'dark'
  /** CSS custom properties by their full name. */
  readonly themeVariables?: Readonly<Record<string, string | number>>
  /** BCP 47 tags that the language of the modal is chosen from, with a comma between them; `auto` is the languages of the browser. English by default. */
  readonly locale?: string
}

/** How the site introduces itself to the frame. */
export interface DappData {
  readonly metadata?: {
    readonly name: string
    readonly description: string
    readonly url: string
    readonly icons: readonly string[]
  }
  readonly sdkVersion?: string
  readonly sdkType?: string
  readonly projectId: string
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

export interface EmbeddedEvents {
  /** A request waits for the user in the frame: show it. */
  readonly approval: { readonly method: string }
  /** No request waits any more. Comes before the last one resolves. */
  readonly approvalEnd: undefined
  /** The height that the frame needs to show the request whole, in CSS pixels. */
  readonly height: number
  /** Plain addresses, the preferred one first; empty after a sign-out. */
  readonly accountsChanged: readonly string[]
  readonly chainChanged: CaipNetworkId
  readonly signedOut: undefined
  /** A request was refused because the frame does not allow its method. */
  readonly notAllowed: { readonly method: string }
  /** The user pressed Escape, or clicked outside the frame, while it was shown. */
  readonly dismissed: undefined
}

/**
 * A wallet in a frame of another origin, which keeps its keys and draws its own approvals. Every call loads the frame if
 * need be, and rejects with an Error whose message is for the visitor.
 */
export interface EmbeddedWallet {
  /** Loads the frame; resolves 500 ms after it is ready. Rejects with "Unable to load email login dependency". */
  load(): Promise<void>

  connectEmail(email: string): Promise<{
    readonly action: EmailLoginAction
    /** The two words that the mail and the page show for `VERIFY_DEVICE`, so that the visitor can compare them. */
    readonly words?: string
  }>
  /** Resolves once the link in the mail was approved. */
  connectDevice(): Promise<void>
  /** @param otp six digits. */
  connectOtp(otp: string): Promise<void>

  /** Starts a social login; open `uri` in a window. */
  getSocialRedirectUri(provider: SocialProvider): Promise<{ readonly uri: string }>
  /** Resolves once the login at `uri` is complete. */
  connectSocial(uri: string): Promise<EmbeddedUser>
  /** Starts a Farcaster login; the Farcaster app opens `url`. */
  getFarcasterUri(): Promise<{ readonly url: string }>
  /** Resolves once the Farcaster login is approved. */
  connectFarcaster(): Promise<{ readonly userName: string }>

  getUser(options?: {
    readonly chainId?: CaipNetworkId
    readonly preferredAccountType?: EmbeddedAccountType
  }): Promise<EmbeddedUser>
  /** Reports whether a user is logged in. */
  isConnected(): Promise<boolean>
  /** Reports whether the login ends with this page, because the browser lets the frame store nothing. */
  endsWithTab(): Promise<boolean>
  getChainId(): Promise<CaipNetworkId>
  switchNetwork(chainId: CaipNetworkId): Promise<void>

  updateEmail(email: string): Promise<{ readonly action: EmailChangeAction }>
  /** @param otp the code sent to the old mailbox. */
  updateEmailPrimaryOtp(otp: string): Promise<void>
  /** @param otp the code sent to the new mailbox. */
  updateEmailSecondaryOtp(otp: string): Promise<{ readonly newEmail: string }>

  setPreferredAccount(
    type: EmbeddedAccountType,
  ): Promise<{ readonly type: EmbeddedAccountType; readonly address: string }>
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
  /** Loads the frame again, and drops a login that is pending. */
  reset(): Promise<void>

  /** Sends a JSON-RPC request. One that signs is first approved by the user in the frame. */
  request(args: {
    readonly method: string
    readonly params?: unknown
    readonly chainId?: CaipNetworkId
  }): Promise<unknown>
  /** Rejects the requests that wait, with 4001. */
  rejectRequests(): void

  /** Calls `listener` for each event of a name; returns a function that stops it. */
  on<Name extends keyof EmbeddedEvents>(
    event: Name,
    listener: (payload: EmbeddedEvents[Name]) => void,
  ): () => void

  /**
   * Shows the frame over a rectangle of the page, or moves it there: in the top layer, above a modal dialog of the page,
   * and as the only thing that can be used.
   */
  show(rectangle: FrameRectangle): void
  hide(): void
}
