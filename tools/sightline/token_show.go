package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/net/handshake"
)

// tokenInfo is what show says.
type tokenInfo struct {
	Kind        string   `json:"kind"` // "token" or "ticket"
	ServerKey   string   `json:"server_key,omitempty"`
	Opened      bool     `json:"opened"` // with the key
	Client      string   `json:"client,omitempty"`
	ClientOwned *bool    `json:"client_owned,omitempty"` // the ticket's pair is the one that the token names
	User        uint64   `json:"user,omitempty"`
	Servers     []string `json:"servers,omitempty"`
	Issued      string   `json:"issued,omitempty"`
	Expires     string   `json:"expires,omitempty"`
	State       string   `json:"state,omitempty"` // "good", "expired", "from the future"
	note        string
}

func newTokenShow(now func() time.Time) *cobra.Command {
	var keyFile string
	var asJSON bool
	c := &cobra.Command{
		Use:   "show FILE",
		Short: "Say what is in a token or ticket",
		Long:  "Reads a token or a ticket from FILE (- is standard input). What the token says can be\nread only with the key that it was sealed with. The private key of a ticket is not shown.",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			text, err := readText(c, args[0])
			if err != nil {
				return err
			}
			var key *[32]byte
			if keyFile != "" {
				data, err := os.ReadFile(keyFile)
				if err != nil {
					return err
				}
				k, err := handshake.ParseTokenKey(string(data))
				if err != nil {
					return fmt.Errorf("%s: %w", keyFile, err)
				}
				key = &k
			}
			info, err := inspectToken(text, key, now())
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if asJSON {
				e := json.NewEncoder(c.OutOrStdout())
				e.SetIndent("", "  ")
				return e.Encode(info)
			}
			return info.print(c.OutOrStdout())
		},
	}
	c.Flags().StringVar(&keyFile, "key", "", "file with the key of matchmaker and servers")
	c.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return c
}

// inspectToken reads a token or ticket; key is nil where it is not known.
func inspectToken(text string, key *[32]byte, at time.Time) (*tokenInfo, error) {
	info := &tokenInfo{Kind: "token"}
	sealed, err := handshake.ParseTokenText(text)
	var ticket *handshake.Ticket
	if err != nil {
		var terr error
		if ticket, terr = handshake.ParseTicket(text); terr != nil {
			if strings.HasPrefix(text, "sightline-ticket:") {
				return nil, terr
			}
			return nil, fmt.Errorf("neither a token (%w) nor a ticket (%w)", err, terr)
		}
		info.Kind, sealed = "ticket", ticket.Token
		if ticket.Server != [32]byte{} {
			info.ServerKey = handshake.Fingerprint(ticket.Server)
		}
		info.Client = fmt.Sprintf("%x", ticket.Client.Public)
	}
	if key == nil {
		info.note = "sealed; --key opens it"
		return info, nil
	}
	tok, err := handshake.OpenToken(*key, sealed)
	if errors.Is(err, handshake.ErrTokenForged) {
		return nil, errors.New("the token was sealed with another key, or was altered")
	}
	if err != nil {
		return nil, err
	}
	info.Opened, info.User = true, tok.User
	info.Client = fmt.Sprintf("%x", tok.Client)
	if ticket != nil {
		own := ticket.Client.Public == tok.Client
		info.ClientOwned = &own
	}
	for _, a := range tok.Servers {
		info.Servers = append(info.Servers, a.String())
	}
	issued, expires := time.Unix(0, tok.Issued).UTC(), time.Unix(0, tok.Expires).UTC()
	info.Issued, info.Expires = issued.Format(time.RFC3339Nano), expires.Format(time.RFC3339Nano)
	switch {
	case !at.Before(expires):
		info.State, info.note = "expired", fmt.Sprintf("expired %s ago", at.Sub(expires).Round(time.Second))
	case at.Before(issued):
		info.State, info.note = "from the future", fmt.Sprintf("from the future: issued in %s", issued.Sub(at).Round(time.Second))
	default:
		info.State, info.note = "good", fmt.Sprintf("good for another %s", expires.Sub(at).Round(time.Second))
	}
	return info, nil
}

// print says it in words.
func (i *tokenInfo) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "%s\t%s\n", name, value)
		}
	}
	row(i.Kind, i.note)
	row("client key", i.Client)
	if i.ClientOwned != nil && !*i.ClientOwned {
		row("", "the ticket holds another pair than the token names: nobody can use it")
	}
	if i.Kind == "ticket" {
		server := i.ServerKey
		if server == "" {
			server = "not in the ticket: taken from the server on first use"
		}
		row("server key", server)
	}
	if i.Opened {
		user := fmt.Sprint(i.User)
		if i.User == 0 {
			user = "nobody in particular"
		}
		row("user", user)
		row("servers", strings.Join(i.Servers, ", "))
		row("issued", i.Issued)
		row("expires", i.Expires)
	}
	return w.Flush()
}
