import { adoptStyles } from '../modal/adoptStyles.ts'
import { sessionsStyles } from '../styles/sessions.gen.ts'
import './account.ts'

export { SmartSessionCreatedView } from '../views/SmartSessionCreated/SmartSessionCreatedView.tsx'
export { SmartSessionListView } from '../views/SmartSessionList/SmartSessionListView.tsx'

adoptStyles(sessionsStyles)
