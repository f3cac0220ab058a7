import { adoptStyles } from '../modal/adoptStyles.ts'
import { loginStyles } from '../styles/login.gen.ts'
import './shell.ts'

export { EmailLogin } from '../parts/logins/EmailLogin.tsx'
export { BackupNotice, EmbeddedRows } from '../parts/logins/EmbeddedRows.tsx'
export { SocialLogins } from '../parts/logins/SocialLogins.tsx'
export { ApproveTransactionView } from '../views/ApproveTransaction/ApproveTransactionView.tsx'
export { ConnectingFarcasterView } from '../views/ConnectingFarcaster/ConnectingFarcasterView.tsx'
export { ConnectingSocialView } from '../views/ConnectingSocial/ConnectingSocialView.tsx'
export { ConnectSocialsView } from '../views/ConnectSocials/ConnectSocialsView.tsx'
export { EmailVerifyDeviceView } from '../views/EmailVerifyDevice/EmailVerifyDeviceView.tsx'
export { EmailVerifyOtpView } from '../views/EmailVerifyOtp/EmailVerifyOtpView.tsx'
export {
  UpdateEmailPrimaryOtpView,
  UpdateEmailSecondaryOtpView,
} from '../views/UpdateEmailWallet/EmailCodeViews.tsx'
export { UpdateEmailWalletView } from '../views/UpdateEmailWallet/UpdateEmailWalletView.tsx'
export { UpgradeEmailWalletView } from '../views/UpgradeEmailWallet/UpgradeEmailWalletView.tsx'

adoptStyles(loginStyles)
