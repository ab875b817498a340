package main

import "github.com/spf13/cobra"

// newPlugin is what authors and operators of plugins need.
func newPlugin() *cobra.Command {
	c := &cobra.Command{
		Use:   "plugin",
		Short: "Write, list and try visibility policies and rules",
	}
	c.AddCommand(newPluginNew(), newPluginList(), newPluginInfo(), newPluginLock(), newPluginReplay(), newPluginCall())
	return c
}
