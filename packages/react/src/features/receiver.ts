import './account.ts'

export { ChooseContact } from '../parts/receiver/ChooseContact.tsx'
export { FollowReceiver } from '../parts/receiver/FollowReceiver.tsx'
export { Objection } from '../parts/receiver/Objection.tsx'
export { ReceiverSuggestions } from '../parts/receiver/ReceiverSuggestions.tsx'
export { SaveReceiver } from '../parts/receiver/SaveReceiver.tsx'
