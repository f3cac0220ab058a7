import type { DirectoryState, WalletPages } from '../types/directory.ts'

export const noPages: WalletPages = {
  wallets: [],
  count: undefined,
  page: 0,
  isLoading: false,
  hasFailed: false,
}

export const initialDirectory: DirectoryState = {
  featured: [],
  recommended: [],
  count: undefined,
  all: noPages,
  query: '',
  isCertifiedOnly: false,
  found: noPages,
}
