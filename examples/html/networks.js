import { base, ethereum } from './hawser/hawser.js'

export const networks = [base, ethereum]
