export { nl } from '@hawser/texts/locales/nl'
