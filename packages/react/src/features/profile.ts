import './account.ts'

export { ProfileView } from '../views/Profile/ProfileView.tsx'
