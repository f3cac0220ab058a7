export { fr } from '@hawser/texts/locales/fr'
