export { tr } from '@hawser/texts/locales/tr'
