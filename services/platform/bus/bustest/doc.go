// Package bustest says what every bus must do, and gives tests buses to do it on.
package bustest
