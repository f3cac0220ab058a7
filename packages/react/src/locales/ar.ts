export { ar } from '@hawser/texts/locales/ar'
