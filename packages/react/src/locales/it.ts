export { it } from '@hawser/texts/locales/it'
