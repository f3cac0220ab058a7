'use client'

export {
  darkTheme,
  lightTheme,
  type RadiusScale,
  type Theme,
  type ThemeOptions,
  type ThemeVars,
} from '@hawser/ui'
export { AccountButton } from '../buttons/AccountButton.tsx'
export type { AccountButtonProps } from '../buttons/accountButtonProps.ts'
export { ConnectButton, type ConnectButtonProps } from '../buttons/ConnectButton.tsx'
export type { ConnectButtonState } from '../buttons/ConnectButtonCustom.tsx'
export { NetworkButton, type NetworkButtonProps } from '../buttons/NetworkButton.tsx'
export { type Account, type NamespaceOptions, useAccount } from '../hooks/useAccount.ts'
export { type Activity, useActivity } from '../hooks/useActivity.ts'
export { type Approvals, useApprovals } from '../hooks/useApprovals.ts'
export { useDisconnect } from '../hooks/useDisconnect.ts'
export { useHawser } from '../hooks/useHawser.ts'
export { useHawserEvents } from '../hooks/useHawserEvents.ts'
export { useHawserState } from '../hooks/useHawserState.ts'
export { type LocaleControls, useLocale } from '../hooks/useLocale.ts'
export { type Modal, useModal } from '../hooks/useModal.ts'
export { type ActiveNetwork, useNetwork } from '../hooks/useNetwork.ts'
export { type Nfts, useNfts } from '../hooks/useNfts.ts'
export { type SmartSessions, useSmartSessions } from '../hooks/useSmartSessions.ts'
export { useSwitchNetwork } from '../hooks/useSwitchNetwork.ts'
export { type ThemeControls, useTheme } from '../hooks/useTheme.ts'
export { type ToastControls, useToast } from '../hooks/useToast.ts'
export { type Tokens, useTokens } from '../hooks/useTokens.ts'
export { useWalletProvider } from '../hooks/useWalletProvider.ts'
export { setLocale } from '../locale/setLocale.ts'
export { HawserProvider, type HawserProviderProps } from '../provider/HawserProvider.tsx'
