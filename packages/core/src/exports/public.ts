// What `@hawser/core` declares for sites; semantic versioning covers these names only. The packages of this repository
// compile with the condition "hawser-internal", which declares everything of index.ts.

// The instance and its options

export {
  createHawser,
  defaultFeatures,
  defaultWalletLinks,
  RESTRICTED_TIMEZONES,
  setLegalCheckboxChecked,
  setThemeMode,
  setThemeVariables,
  updateFeatures,
} from './index.ts'

// Networks

export {
  addNetwork,
  addressExplorerUrl,
  defineNetwork,
  removeNetwork,
  requestedNetwork,
  SwitchNetworkError,
  selectNetwork,
  selectRequestedNetworks,
  setActiveNetwork,
  switchNamespace,
  switchNetwork,
  transactionExplorerUrl,
} from './index.ts'

// Wallets

export {
  ConnectError,
  cancelPairing,
  confirmHandoff,
  connect,
  disconnect,
  fetchMoreWallets,
  fetchOfferedWallets,
  handoffUrl,
  openWalletApp,
  pair,
  reconnect,
  searchWallets,
  selectConnector,
  selectWallet,
} from './index.ts'

// Logins of the embedded wallet

export {
  emailCooldown,
  hideFrame,
  loginWithEmail,
  loginWithFarcaster,
  loginWithSocial,
  resendEmail,
  setPreferredAccountType,
  showFrame,
  verifyEmailCode,
  waitForDevice,
  watchFrameHeight,
} from './index.ts'

// Accounts: what they hold and did

export {
  chooseAccount,
  fetchActivity,
  fetchApprovals,
  fetchNativeBalance,
  fetchNfts,
  fetchOlderActivity,
  fetchTokenBalance,
  isSmartAccount,
  openRevocation,
  ownedNfts,
  selectAccount,
  shortenAddress,
  watchActivity,
  watchApprovals,
  watchBalances,
  watchNfts,
} from './index.ts'

// Sign-in, and sessions that act for an account

export {
  cancelSignIn,
  createSubscription,
  fetchSmartSessions,
  grantPermissions,
  revokeSmartSession,
  SmartSessionError,
  signIn,
  signOut,
} from './index.ts'

// The modal, where a package renders it

export {
  closeModal,
  hideToast,
  openModal,
  openName,
  openNames,
  openOnramp,
  openRegisterName,
  openSend,
  openSendNft,
  openSwap,
  showToast,
} from './index.ts'

// Amounts and errors

export {
  AmountError,
  errorMessage,
  formatUnits,
  isUserRejection,
  parseUnits,
  WalletError,
  walletErrorCode,
} from './index.ts'

// Types

export type {
  AccessState,
  AccountEntry,
  AccountProvider,
  AccountState,
  AccountStatus,
  AccountType,
  ActivityCoverage,
  ActivityState,
  ActivityTransaction,
  AllWallets,
  Approval,
  BitcoinProvider,
  BlockExplorer,
  BuyArguments,
  CaipAddress,
  CaipNetworkId,
  ChainState,
  Clock,
  ConnectErrorKind,
  Connected,
  ConnectionCookie,
  ConnectionState,
  ConnectMethod,
  Connector,
  ConnectorContext,
  ConnectorFactory,
  ConnectorGroup,
  ConnectorsState,
  CustomWallet,
  Delegation,
  DirectoryState,
  DirectoryWallet,
  Eip1193Provider,
  EmbeddedUser,
  EventListener,
  Features,
  FrameRectangle,
  Hawser,
  HawserEvent,
  HawserOptions,
  KeyValueStorage,
  Locale,
  LocaleName,
  ModalState,
  Namespace,
  NativeCurrency,
  Network,
  NetworkDefinition,
  NftCollection,
  NftState,
  OpenModalOptions,
  OptionsState,
  OwnedNft,
  PolkadotProvider,
  Providers,
  RecentWallet,
  RouterState,
  ServedFeatures,
  SignInState,
  SignInStatus,
  SiteMetadata,
  SmartSession,
  SmartSessionGrant,
  SmartSessionKey,
  SmartSessionPermission,
  SmartSessionRequest,
  SmartSessionsState,
  Social,
  SolanaProvider,
  Subscription,
  SubscriptionInterval,
  SwapArguments,
  SwapContracts,
  SwapRouterKind,
  SwitchNetworkErrorKind,
  ThemeMode,
  ThemeState,
  ThemeVariables,
  Toast,
  TokenBalance,
  TokenBalanceOptions,
  View,
  WalletFailure,
  WalletFeature,
  WalletLink,
  WalletProvider,
} from './index.ts'
