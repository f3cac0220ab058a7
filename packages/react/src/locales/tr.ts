export { tr } from '@hawser/texts/modal/locales/tr'
