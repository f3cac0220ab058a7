/** Every text the product shows or throws when something happens, word for word. */
export const toasts = {
  tokenBalanceUnavailable: 'Token Balance Unavailable',
  disconnectFailed: 'Failed to disconnect',
  sendFailed: 'Something went wrong',
  solanaSendFailed: 'Failed to send transaction. Please try again.',
  transactionStarted: 'Transaction started',
  transactionReverted: 'Transaction reverted',
  sent: (what: string, to: string) => `Sent ${what} to ${to}`,
  confirmInWallet: 'Confirm transaction in your wallet',
  signatureDeclined: 'Signature declined',
  transactionsUnavailable: 'Failed to fetch transactions',
  transactionFailed: 'Transaction error',
  sendDiscarded: 'If you still approve it in your wallet, it is sent.',
  declined: 'You declined. Nothing was sent.',
  declinedAfterApproval: 'You declined. Nothing was swapped.',
  allowanceFailed: 'Failed to check allowance',
  approvalFailed: 'Failed to create approval transaction',
  insufficientBalance: 'Insufficient balance',
  swapFailed: 'Failed to create transaction',
  swapInitFailed: 'Failed to initialize swap',
  gasPriceUnavailable: 'Failed to fetch gas price',
  refused: 'This isn’t what you reviewed. Nothing was sent.',
  swapUnconfirmed: 'This swap couldn’t be simulated. Nothing was sent.',
  priceMoved: 'The price moved. Review the new quote.',
  approveInWallet: 'Approve exactly this amount in your wallet',
  signInWallet: 'Sign the permission in your wallet',
  swapping: (sold: string, bought: string) => `Swapping ${sold} for ${bought}`,
  swapped: (sold: string, bought: string) => `Swapped ${sold} for ${bought}`,
  nameRegistered: 'Account name chosen successfully',
  nameChanged: {
    records: (name: string) => `Profile of ${name} saved`,
    address: (name: string) => `Address of ${name} saved`,
    transfer: (name: string) => `${name} was transferred`,
    release: (name: string) => `${name} was released`,
    accept: (name: string) => `${name} is yours`,
  },
  nameChanging: 'Another change waits in your wallet',
  nameTargetMoved: (name: string) => `${name} now points to a different address. Nothing was signed.`,
  receiverMoved: (name: string) => `${name} now points to a different address. Nothing was sent.`,
  receiverUnconfirmed: (name: string) => `Can’t confirm the address of ${name}. Nothing was sent.`,
  openingCheckout: (seller: string) => `Opening ${seller}…`,
  bought: (amount: string, token: string) =>
    amount ? `Bought ${amount} ${token}` : 'Your purchase is complete',
  buyFailed: 'Buy failed',
  buyRefunded: 'Your purchase was refunded',
  buyCancelled: 'Your purchase was cancelled',
  buyExpired: 'Your purchase expired',
  addressCopied: 'Address copied',
  linkCopied: 'Link copied',
  copyFailed: 'Failed to copy',
} as const

export const thrown = {
  unsupportedChain: 'Unsupported chain',
  chainAdapterNotFound: 'Chain adapter not found',
  networkClientNotSet: 'NetworkController client not set',
  connectionClientNotSet: 'ConnectionController client not set',
  chainRequired: 'Chain is required to update chain account data',
  networkNotFound: 'Network not found',
  addressOrAuthNotFound: 'Address or auth connector not found',
  nameResolutionFailed: 'Error resolving name',
  nameSuggestionsFailed: 'Error fetching name suggestions',
  namesOfAddressFailed: 'Error fetching names for address',
  nameRegistrationFailed: 'Error registering name',
  nameChangeFailed: 'Error changing name',
  buyFailed: 'The checkout could not be opened',
  invalidChainId: 'Invalid chainId',
  emailLoginUnavailable: 'Unable to load email login dependency',
  gasPriceUnsupported: 'Network not supported for Gas Price',
  swapsUnsupported: 'Network not supported for Swaps',
  solanaSendIncomplete: 'Please enter a valid amount and receiver address',
  connectFailed: 'Your wallet didn’t connect. Open it, then try again.',
  noAccounts: 'Your wallet shared no account. Choose one there, then try again.',
  switchFailed: 'Your wallet didn’t switch. Open it, then try again.',
  networkRefused: 'Your wallet doesn’t accept this network. Choose another one.',
} as const

/** Shown when a wallet does not do what it was asked, by the reason. */
export const walletTexts = {
  declined: 'You declined.',
  busy: 'Your wallet is already asking. Open it to continue.',
  unauthorized: 'Your wallet hasn’t given this site access to this account. Allow it there, then try again.',
  unsupported: 'Your wallet doesn’t support this. Try another wallet.',
  offline: 'Your wallet can’t reach the network. Check its connection, then try again.',
  unknownNetwork: 'Your wallet doesn’t know this network. Add it there, then try again.',
  unsupportedNetwork: 'Your wallet doesn’t support this network. Choose another one.',
  wrongNetwork: 'Your wallet is on another network. Switch it back, then try again.',
  unknownBatch: 'Your wallet no longer knows this transaction. Check its activity.',
  batchTooLarge: 'Your wallet can’t do this in one go. Try a smaller amount.',
  internal: 'Your wallet reported a problem. Open it, then try again.',
  unreadable: 'Your wallet’s answer can’t be read. Check its activity before you try again.',
} as const

export interface AlertText {
  /** Shown on the page. */
  readonly title: string
  /** Written to the console; words in braces are filled in. */
  readonly detail: string
}

/** What a developer is told of a site that is set up wrongly. */
export const alerts = {
  networkNotFound: {
    title: 'Network Not Found',
    detail:
      "Network not found - please make sure it is included in 'networks' array in createHawser function",
  },
  originNotAllowed: {
    title: 'Invalid App Configuration',
    detail: 'Origin {origin} not found on Allowlist - update the allowed origins of the project',
  },
  socialsTimeout: {
    title: 'Invalid App Configuration',
    detail: 'There was an issue loading the embedded wallet. Please verify that your domain is allowed',
  },
  invalidProjectId: {
    title: 'Invalid App Configuration',
    detail: 'Invalid Project ID - update configuration',
  },
  sessionExpired: {
    title: 'Session Expired',
    detail: 'Invalid session found - please check your time settings and connect again',
  },
  projectIdNotConfigured: {
    title: 'Project ID Not Configured',
    detail: 'Project ID Not Configured - update configuration',
  },
} as const satisfies Record<string, AlertText>

export type AlertName = keyof typeof alerts

/** Chain error codes a wallet may answer a network switch with. */
export const chainErrorCode = {
  unrecognisedChain: 4902,
  invalidChainId: -32603,
  /** Stands for any answer that names no code of its own. */
  unknown: 5000,
} as const
