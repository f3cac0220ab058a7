export { de } from '@hawser/texts/locales/de'
