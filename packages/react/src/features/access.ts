import { adoptStyles } from '../modal/adoptStyles.ts'
import { accessStyles } from '../styles/access.gen.ts'
import './account.ts'

export { AccessTab } from '../views/Access/AccessTab.tsx'
export { RevokeApprovalsView } from '../views/RevokeApprovals/RevokeApprovalsView.tsx'

adoptStyles(accessStyles)
