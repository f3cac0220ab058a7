import { base, ethereum } from '@hawser/core/networks'

export const networks = [base, ethereum] as const
