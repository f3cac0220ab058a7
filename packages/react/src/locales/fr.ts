export { fr } from '@hawser/texts/modal/locales/fr'
