import { useAccount } from '../hooks/useAccount.ts'
import { useLoginFeature } from '../modal/loginFeature.ts'

/** The notice of an embedded wallet without a backup. Its code was loaded to log in. */
export function WalletBackup() {
  const { connectedWalletInfo } = useAccount()
  const { feature: logins } = useLoginFeature(connectedWalletInfo?.type === 'AUTH')
  return logins ? <logins.BackupNotice /> : null
}
