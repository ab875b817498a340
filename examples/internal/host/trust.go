package host

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"time"

	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/udp"
)

// tokens makes what checks connect tokens, one for all ways in; nil where anybody
// may join.
func (h *Host) tokens() (*handshake.Tokens, error) {
	s := h.set
	if s.Trust.Get() != "token" {
		return nil, nil
	}
	name := s.TokenKey.Get()
	if name == "" {
		return nil, errors.New("sv.trust token: sv.token_key must name the file with the matchmaker's key; sightline token keygen makes one")
	}
	key, err := LoadTokenKey(name)
	if err != nil {
		return nil, fmt.Errorf("sv.token_key: %w", err)
	}
	own, err := h.addresses()
	if err != nil {
		return nil, err
	}
	// What was sealed before this run could have been used in an earlier one.
	epoch := h.epoch.UnixNano()
	return handshake.NewTokens(handshake.TokenConfig{Key: key, Servers: own, Epoch: epoch, Started: epoch})
}

// addresses are the server's own, as tokens name them.
func (h *Host) addresses() ([]netip.AddrPort, error) {
	port := uint16(h.set.Port.Get())
	if h.sock != nil {
		port = h.sock.LocalAddr().Port()
		if a := h.sock.LocalAddr(); len(h.set.Address.Get()) == 0 && !a.Addr().IsUnspecified() {
			return []netip.AddrPort{a}, nil
		}
	}
	if len(h.set.Address.Get()) == 0 {
		return nil, errors.New("sv.trust token: sv.address must list the addresses that players reach the server at, which tokens name")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var own []netip.AddrPort
	for _, name := range h.set.Address.Get() {
		a, err := udp.Resolve(ctx, name, port)
		if err != nil {
			return nil, fmt.Errorf("sv.address: %w", err)
		}
		own = append(own, a)
	}
	return own, nil
}

// ban makes the server follow sv.bans, now and when it changes.
func (h *Host) ban() {
	h.set.Bans.OnChange(func(list []string) {
		bans, err := server.ParseBans(list)
		if err != nil {
			h.log.Error("sv.bans: the list before stays in force", "error", err)
			return
		}
		h.srv.Do(func(s *server.Server) { s.SetBans(bans) })
	})
}

// LoadTokenKey reads the key that matchmaker and servers share.
func LoadTokenKey(file string) (key [32]byte, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return key, err
	}
	if key, err = handshake.ParseTokenKey(string(data)); err != nil {
		return key, fmt.Errorf("%s: %w", file, err)
	}
	return key, nil
}

// LoadTicket reads what a matchmaker has given to a player.
func LoadTicket(file string) (*handshake.Ticket, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	t, err := handshake.ParseTicket(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return t, nil
}
