export { toasts } from '@hawser/texts/en/toasts'
export { walletTexts } from '@hawser/texts/en/walletTexts'
export type { Message } from '@hawser/texts/message'
export { fetchApprovals, watchApprovals } from '../access/fetchApprovals.ts'
export { isAccessOffered } from '../access/offered.ts'
export { confirmRevocation, openRevocation, stopRevocation } from '../access/revoke.ts'
export {
  type ApprovalDanger,
  approvalDanger,
  isUnknownDelegation,
  type TotalAtRisk,
  totalAtRisk,
} from '../access/risk.ts'
export {
  isApprovalOf,
  mostRevoked,
  selectAllApprovals,
  selectApproval,
  selectedApprovals,
} from '../access/selection.ts'
export { forgetWanted, showApproval } from '../access/wanted.ts'
export { isSmartAccount, setAccountTab } from '../account/account.ts'
export { copyAddress } from '../account/copyAddress.ts'
export { fetchNativeBalance } from '../account/nativeBalance.ts'
export { fetchTokenBalance, type TokenBalanceOptions } from '../account/tokenBalance.ts'
export { watchBalances } from '../account/watchBalances.ts'
export {
  activeCounterparties,
  type Counterparties,
  type Counterparty,
  type Dealing,
  type Doubt,
  isPoisoned,
} from '../activity/counterparties.ts'
export { fetchActivity, fetchOlderActivity, hasHistory, watchActivity } from '../activity/fetchActivity.ts'
export { isSpam, shownActivity } from '../activity/pages.ts'
export { isSwap, sentMessage, sentText, swapMessage, swapText } from '../activity/sentTexts.ts'
export { addressKind } from '../address/addressKind.ts'
export { comparableAddress } from '../address/lookAlike.ts'
export { plainAddress } from '../address/plainAddress.ts'
export { shortenAddress } from '../address/shortenAddress.ts'
export { type AlertName, alerts, closeAlert, raiseAlert } from '../alert/alert.ts'
export { AmountError, baseUnits, formatUnits, parseUnits, tokenDecimals, worth } from '../amounts/units.ts'
export { setActiveNetwork, switchNamespace } from '../chain/activeNetwork.ts'
export { loadAdapters } from '../chain/adapters.ts'
export { activateNamespace } from '../chain/chainState.ts'
export { addNetwork, removeNetwork, requestedNetwork } from '../chain/requestedNetworks.ts'
export {
  approvedFirst,
  isActiveNetworkRequested,
  isNetworkRefused,
  isNetworkRestricted,
  isNetworkServed,
  isPaying,
  preferredAccountType,
  selectAccount,
  selectNetwork,
  selectRequestedNetworks,
} from '../chain/selectors.ts'
export { switchNetwork } from '../chain/switchNetwork.ts'
export { chooseAccount } from '../connection/accounts.ts'
export { connect, selectConnector } from '../connection/connect.ts'
export { isInTelegram } from '../connection/deepLink.ts'
export { disconnect } from '../connection/disconnect.ts'
export { resetConnection } from '../connection/forgetSession.ts'
export { confirmHandoff, handoffUrl } from '../connection/handoff.ts'
export {
  cancelPairing,
  isPairingExpired,
  openWalletApp,
  type PairWalletOptions,
  pair,
  startBuffering,
} from '../connection/pairing.ts'
export { reconnect } from '../connection/reconnect.ts'
export { isRecent } from '../connectors/connectorList.ts'
export * from '../constants.ts'
export { findContact, searchContacts } from '../contacts/contact.ts'
export { contactDoubt } from '../contacts/contactDoubt.ts'
export {
  type ContactsImport,
  importContacts,
  LONGEST_CONTACTS_FILE,
  type RefusedContact,
  writeContactsFile,
} from '../contacts/contactsFile.ts'
export { addContact, type ContactRefusal, removeContact, renameContact } from '../contacts/editContacts.ts'
export { newReceiver } from '../contacts/newReceiver.ts'
export { copyContacts, readContacts } from '../contacts/storedContacts.ts'
export { type ReceiverSuggestion, suggestReceivers } from '../contacts/suggestions.ts'
export { contactsToCopy, shareWalletContacts } from '../contacts/walletContacts.ts'
export { createHawser } from '../createHawser.ts'
export { fetchMoreWallets, fetchOfferedWallets, searchWallets } from '../directory/fetchWallets.ts'
export {
  connectorOf,
  isReachable,
  needsPublicRelay,
  pairingConnector,
} from '../directory/offered.ts'
export { type WalletRow, walletRows } from '../directory/rows.ts'
export { selectWallet } from '../directory/selectWallet.ts'
export { setPreferredAccountType } from '../embedded/accountType.ts'
export {
  changeEmail,
  editEmail,
  upgradeWallet,
  verifyNewEmail,
  verifyOldEmail,
} from '../embedded/emailChange.ts'
export {
  type EmailProblem,
  emailCooldown,
  isEmail,
  leaveDevice,
  loginWithEmail,
  resendEmail,
  verifyEmailCode,
  waitForDevice,
} from '../embedded/emailLogin.ts'
export { hideFrame, showFrame, watchFrameHeight, watchLoginApprovals } from '../embedded/frame.ts'
export { loginMessage } from '../embedded/loginMessage.ts'
export { connectMethods, embeddedConnector, offeredLogins } from '../embedded/logins.ts'
export {
  isSocialWindowClosed,
  LoginCancelled,
  leaveFarcaster,
  leaveSocial,
  loginWithFarcaster,
  loginWithSocial,
  reopenSocial,
  type SocialProgress,
  selectSocial,
} from '../embedded/socialLogin.ts'
export { chainErrorCode } from '../errors/chainErrorCode.ts'
export { toast as toastMessage } from '../errors/messages.ts'
export { thrown } from '../errors/thrown.ts'
export { failure as thrownMessage } from '../errors/thrownMessages.ts'
export {
  ConnectError,
  type ConnectErrorKind,
  errorMessage,
  SwitchNetworkError,
  type SwitchNetworkErrorKind,
} from '../errors/walletErrors.ts'
export {
  isUserRejection,
  WalletError,
  type WalletFailure,
  walletErrorCode,
  walletFailure,
  walletMessage,
} from '../errors/walletFailure.ts'
export { readServedFeatures } from '../gateway/servedFeatures.ts'
export { importModule } from '../importModule.ts'
export { isPhone } from '../isPhone.ts'
export * from '../limits.ts'
export type { LogBuffer } from '../log/log.ts'
export { openContact, openContacts } from '../modal/contactFlows.ts'
export type { LoginOutcome } from '../modal/loginFlows.ts'
export {
  closeModal,
  type OpenModalOptions,
  openModal,
  requestCloseModal,
  setModalLoading,
  shakeModal,
} from '../modal/modal.ts'
export { openNames } from '../modal/nameFlows.ts'
export {
  type RecordKind,
  recordKinds,
  recordLength,
  recordLink,
  recordProblem,
} from '../names/attributes.ts'
export { acceptName, changeName, stopChange } from '../names/changeName.ts'
export { changeReadiness } from '../names/changeReadiness.ts'
export { chainIdOfCoin, coinTypeOf, nameAddresses } from '../names/coinType.ts'
export {
  chooseNameTarget,
  editAddress,
  editRecords,
  editRelease,
  editTransfer,
  isChanging,
  retryNameTarget,
  setNameTarget,
  setRecord,
  setTypedName,
  targetNetwork,
} from '../names/editName.ts'
export { labelAccounts } from '../names/identity.ts'
export {
  chosenName,
  fetchOwnNames,
  namesOfAddress,
  openName,
  watchOwnNames,
} from '../names/ownNames.ts'
export { nameReadiness } from '../names/readiness.ts'
export type { NameRefusal } from '../names/refusal.ts'
export { registerName, stopRegistration } from '../names/registerName.ts'
export { NameError } from '../names/signText.ts'
export { nameSuggestions, openRegisterName, setNameLabel, suggestNames } from '../names/suggest.ts'
export { targetDoubt } from '../names/targetDoubt.ts'
export { NATIVE_TOKEN_ADDRESS, nativePlaceholder } from '../network/nativePlaceholder.ts'
export {
  addressExplorerUrl,
  defineNetwork,
  type NetworkDefinition,
  transactionExplorerUrl,
} from '../network/network.ts'
export { fetchNfts, ownedNfts, watchNfts } from '../nfts/fetchNfts.ts'
export {
  type BuyReadiness,
  buyLimits,
  buyReadiness,
  compareDecimals,
  currencyDigits,
} from '../onramp/amount.ts'
export { isOnrampOffered, RESTRICTED_TIMEZONES } from '../onramp/availability.ts'
export {
  buy,
  buyAgain,
  type ChosenSeller,
  leavePurchase,
  purchaseOrder,
  reopenCheckout,
  retryPurchase,
  showOrder,
} from '../onramp/buy.ts'
export { MOCKED_QUOTE_ID } from '../onramp/defaults.ts'
export {
  openOnramp,
  selectBuyCurrency,
  selectBuyMethod,
  selectBuyToken,
  setBuyAmount,
} from '../onramp/edit.ts'
export { followOrders } from '../onramp/followOrders.ts'
export { isSameBuyToken, loadOnramp } from '../onramp/options.ts'
export { fetchOlderOrders, fetchOrders, isOpenOrder, watchOrders } from '../onramp/orders.ts'
export { currentBuyQuotes, requestBuyQuotes } from '../onramp/quotes.ts'
export { watchOnramp } from '../onramp/watchOnramp.ts'
export { defaultFeatures } from '../options/features.ts'
export {
  defaultAccountTypes,
  isConsentMissing,
  setLegalCheckboxChecked,
  updateFeatures,
} from '../options/options.ts'
export type { Popup } from '../popup/popup.ts'
export { dangersOf } from '../preview/dangers.ts'
export { type Retry, type RetryTask, retryWhileFailing } from '../retryWhileFailing.ts'
export { goBack, goBackToIndex, pushView, replaceView, resetView } from '../router/navigate.ts'
export { gasCost, isNativeToken, isSameToken, maxSendAmount, sendAmountInBaseUnits } from '../send/amount.ts'
export { resetSend } from '../send/draft.ts'
export {
  fillMaxSendAmount,
  loadSendBalances,
  openSend,
  openSendNft,
  selectSendToken,
  setFeeSpeed,
  setSendAmount,
} from '../send/edit.ts'
export { followReceiver } from '../send/followReceiver.ts'
export { estimateSendGas } from '../send/gas.ts'
export { discardSend } from '../send/lock.ts'
export { isSendPreviewed, previewSend } from '../send/previewSend.ts'
export { type ReadinessOptions, SEND_LABELS, type SendReadiness, sendReadiness } from '../send/readiness.ts'
export { acceptMovedReceiver, resolveReceiver, setReceiver } from '../send/receiver.ts'
export {
  checkReceiver,
  chooseReceiver,
  openDoubt,
  type ReceiverCheck,
  readReceiverHistory,
} from '../send/receiverCheck.ts'
export { type ReceiverWarning, receiverWarning } from '../send/receiverWarning.ts'
export { canSendAgain, sendAgain } from '../send/sendAgain.ts'
export { SendError, sendToken } from '../send/sendToken.ts'
export { sentContract } from '../send/tokenContract.ts'
export type { SendRefusal } from '../send/unsendable.ts'
export { cancelSignIn, checkSignIn, signIn, signOut } from '../signIn/signIn.ts'
export { SmartSessionError } from '../smartSessions/error.ts'
export { grantPermissions } from '../smartSessions/grant.ts'
export { fetchSmartSessions, smartSessionsOf } from '../smartSessions/list.ts'
export { revokeSmartSession } from '../smartSessions/revoke.ts'
export {
  createSubscription,
  type Subscription,
  type SubscriptionInterval,
} from '../smartSessions/subscription.ts'
export {
  currentQuote,
  MAX_SLIPPAGE_BPS,
  minimumReceived,
  parseSlippage,
  slippageBps,
  sourceAmount,
  swapRate,
  toTokenAmount,
} from '../swap/amounts.ts'
export { resetSwap } from '../swap/draft.ts'
export {
  openSwap,
  selectSwapToken,
  setSwapAmount,
  setSwapSlippage,
  switchSwapTokens,
} from '../swap/edit.ts'
export { DEFAULT_SLIPPAGE_BPS } from '../swap/initialSwap.ts'
export { type SwapLoss, swapLoss } from '../swap/loss.ts'
export { fillMaxSwapAmount } from '../swap/max.ts'
export { isSwapOffered, listSwapNetworks } from '../swap/networks.ts'
export { SwapError } from '../swap/order.ts'
export { planSwap } from '../swap/planSwap.ts'
export { shownSwapPreview } from '../swap/previewSwap.ts'
export { requestQuote } from '../swap/quote.ts'
export { type SwapReadiness, type SwapReadinessOptions, swapReadiness } from '../swap/readiness.ts'
export { swapTokens } from '../swap/swapTokens.ts'
export {
  findSwapToken,
  isNativeSwapToken,
  isSameSwapToken,
  readSwapTokens,
  rowOf,
  swapBalance,
  swapPrice,
} from '../swap/tokens.ts'
export type { SwapRefusal } from '../swap/verify/refusal.ts'
export { startSwap, watchSwap } from '../swap/watchSwap.ts'
export { setThemeMode, setThemeVariables } from '../theme/theme.ts'
export { hideToast, showToast, type Toast } from '../toast/toast.ts'
export type * from '../types/access.ts'
export type * from '../types/account.ts'
export type * from '../types/activity.ts'
export type * from '../types/adapter.ts'
export type * from '../types/connectionCookie.ts'
export type * from '../types/connector.ts'
export type * from '../types/contacts.ts'
export type * from '../types/directory.ts'
export type * from '../types/embeddedWallet.ts'
export type * from '../types/environment.ts'
export type * from '../types/events.ts'
export type * from '../types/hawser.ts'
export type * from '../types/locale.ts'
export type * from '../types/names.ts'
export type {
  BlockExplorer,
  CaipAddress,
  CaipNetworkId,
  Namespace,
  NativeCurrency,
  Network,
} from '../types/network.ts'
export { UNKNOWN_NETWORK_NAME } from '../types/network.ts'
export type * from '../types/nft.ts'
export type * from '../types/onramp.ts'
export type * from '../types/options.ts'
export type * from '../types/outcomes.ts'
export type * from '../types/preview.ts'
export type * from '../types/providers.ts'
export type * from '../types/router.ts'
export type * from '../types/servedFeatures.ts'
export type * from '../types/signIn.ts'
export type * from '../types/smartSessions.ts'
export type * from '../types/state.ts'
export type * from '../types/swap.ts'
export type * from '../types/swapContracts.ts'
export type * from '../types/theme.ts'
export type * from '../types/walletLink.ts'
export { continueInWalletUrl, defaultWalletLinks, installUrl } from '../walletLinks/walletLinks.ts'
